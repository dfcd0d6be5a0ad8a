"""Ways through a place for a body: free floor, routes, motion within limits, keyframes."""

"""A run's results for reading: a page that stands alone, and a table for the terminal."""

from stbench_scoring.report.page import write_page
from stbench_scoring.report.table import text_table

__all__ = ["text_table", "write_page"]

"""How far an answer earns its credit. Pure functions of a gold row, an answer and what the job needs."""

from stbench_scoring.credit.judge import Judgement, judge
from stbench_scoring.credit.ramp import ramp
from stbench_scoring.credit.rules import RULES, FamilyRule, family_rule

__all__ = ["RULES", "FamilyRule", "Judgement", "family_rule", "judge", "ramp"]

"""Report tools: statistics that anyone can recompute, findings made of them, figures, and tests of frames and columns."""

"""Accuracy against leaves: GOSDT 2020 Figures 4, 11, 12; OSDT 2019 Figures 1, 10-16."""

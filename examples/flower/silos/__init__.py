"""Logistic regression over silos by a method of driftless, carried by Flower."""

"""Handlers of the pages, one module for each."""

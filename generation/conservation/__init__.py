"""conservationbench: factorial designs and the scenes of each domain."""

"""QuantiPhy: clips of moving things with exact kinematics, and questions about them."""

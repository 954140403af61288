"""How things move: closed forms, and MuJoCo where they touch."""

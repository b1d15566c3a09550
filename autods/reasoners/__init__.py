"""Who answers the agents' questions: rules by default."""

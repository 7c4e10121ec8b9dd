-- A generated column is never answered from an index alone: whoever counted open mail read every delivery.
-- Plain conditions are, and what requires an ack is found for each agent.
DROP INDEX deliveries_open;
DROP INDEX deliveries_unacked;
ALTER TABLE deliveries DROP COLUMN needs;

CREATE INDEX deliveries_open ON deliveries (agent, message, state)
    WHERE state = 0 OR (requires_ack AND state < 2 AND closed_at IS NULL);
CREATE INDEX deliveries_unacked ON deliveries (agent, message)
    WHERE requires_ack AND state < 2 AND closed_at IS NULL;

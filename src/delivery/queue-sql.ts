// How the statements of the queue find their rows. The queue is empty at one moment and holds a hundred thousand the next,
// and a plan is kept for a while: one that was made while it was empty took "read the whole table and compare each row with
// the batch" for as good as a look-up, and then needed ten seconds for a batch. A plain equality lets the planner choose
// which side to begin with; these forms say the same, and can only look up in the index what the batch names.
const lookUp = (column: string, value: string): string => `${column} = any(array[${value}])`;

/** The delivery that a row of a batch names. */
export const sameDelivery = (delivery: string, row: string): string =>
  `${lookUp(`${delivery}.workspace_id`, `${row}.workspace_id`)} and ${lookUp(`${delivery}.id`, `${row}.delivery_id`)}`;

/** The lane that a row of a batch belongs to. */
export const sameLane = (lane: string, row: string): string =>
  `${lookUp(`${lane}.workspace_id`, `${row}.workspace_id`)} and ${lookUp(`${lane}.webhook_id`, `${row}.webhook_id`)}`;

/** The lanes of a batch, locked in their order: whoever locks several does so by this, and nobody waits in a circle. */
export const lockLanes = (batch: string): string =>
  `select locked.*
   from (select distinct workspace_id, webhook_id from ${batch} order by workspace_id, webhook_id) named
   cross join lateral (
     select l.* from delivery_lanes l
     where l.workspace_id = named.workspace_id and l.webhook_id = named.webhook_id for update) locked`;

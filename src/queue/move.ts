/**
 * What a move of a workspace to another cell does to its queue. Only texts: the mover has connections of its own, without the
 * limits of the pools.
 */

/** Lanes are locked in their order, as everywhere. A claim in progress has locked its lanes, so this waits for it. */
export const SET_LANES_PAUSED = `
  with lane as materialized (
    select webhook_id
    from delivery_lanes
    where workspace_id = $1
    order by webhook_id
    for update
  )

  update delivery_lanes
  set paused = $2
  where workspace_id = $1
    and webhook_id in (select webhook_id from lane)`;

/** They are in the other cell now, which sends them. */
export const DROP_DELIVERIES = "delete from deliveries where workspace_id = $1";

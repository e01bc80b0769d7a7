/**
 * What a restore of a backup does to the queue. The lanes may still count the attempts of a day of logs that retention was
 * removing, which is not restored. Only a text: the restore has a connection of its own, without the limits of the pools.
 */
export const COUNT_ATTEMPTS = `
  update delivery_lanes lane
  set attempts_total = logged.attempts
  from (
    select lane.workspace_id, lane.webhook_id, count(attempt.id) as attempts
    from delivery_lanes lane
    left join delivery_attempts attempt
      on attempt.workspace_id = lane.workspace_id
      and attempt.webhook_id = lane.webhook_id
    group by lane.workspace_id, lane.webhook_id
  ) logged
  where logged.workspace_id = lane.workspace_id
    and logged.webhook_id = lane.webhook_id
    and logged.attempts <> lane.attempts_total`;

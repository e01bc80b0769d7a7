-- compatible-from: 12
-- The first steps of a new team are shown on the overview until they are done or hidden.
alter table workspaces add column first_steps_hidden boolean not null default false;

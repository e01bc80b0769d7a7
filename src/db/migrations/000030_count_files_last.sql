-- compatible-from: 12
-- A transaction may count the bytes of its files last, so that it locks the usage of its workspace only for its commit. Nodes
-- that do not ask for it count at once, as before.
drop trigger files_counted on files;
create constraint trigger files_counted after update of size_bytes on files
deferrable initially immediate
for each row execute function count_file_bytes();

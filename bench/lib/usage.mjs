// What processes use, from /proc. Linux only; 0 elsewhere.
import { readdirSync, readFileSync } from "node:fs";

/** Processor time so far, user and system, in milliseconds. */
export const cpuMs = (pid) => {
  const stat = statOf(pid);
  return stat ? stat.ownTicks * MS_PER_TICK : 0;
};

/** The same of its first thread, on which JavaScript runs, and of all others, which compile and collect garbage. */
export function threadsCpuMs(pid) {
  const [main, ...others] = list(`/proc/${pid}/task`)
    .sort((a, b) => Number(a !== String(pid)) - Number(b !== String(pid)))
    .map((thread) => statOf(`${pid}/task/${thread}`)?.ownTicks ?? 0);
  return { main: (main ?? 0) * MS_PER_TICK, others: sum(others) * MS_PER_TICK };
}

/** The same of a process and everything that it started, those that have ended included. */
export function treeCpuMs(pid) {
  const ticks = processesBelow(pid)
    .map(statOf)
    .map((stat) => (stat ? stat.ownTicks + stat.endedChildrenTicks : 0));
  return sum(ticks) * MS_PER_TICK;
}

/** Resident memory of one process: now, or at its peak. */
export const residentMb = (pid) => statusMb(pid, "VmRSS");
export const peakMb = (pid) => statusMb(pid, "VmHWM");

/** Memory of a process and its children, where a page that several share counts once. */
export const treeMemoryMb = (pid) => sum(processesBelow(pid).map(proportionalMb));

const MS_PER_TICK = 10;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

function statOf(pid) {
  const text = read(`/proc/${pid}/stat`);
  if (text === "") return undefined;
  // The name is in brackets and may contain anything; the fields after it are counted.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  return { parent: fields[1], ownTicks: fields[11] + fields[12], endedChildrenTicks: fields[13] + fields[14] };
}

function processesBelow(root) {
  const children = new Map();
  for (const name of list("/proc").filter((name) => /^\d+$/.test(name))) {
    const parent = statOf(name)?.parent;
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

function list(directory) {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

const statusMb = (pid, field) => kilobytes(read(`/proc/${pid}/status`), field) / 1024;
const proportionalMb = (pid) => kilobytes(read(`/proc/${pid}/smaps_rollup`), "Pss") / 1024;
const kilobytes = (text, field) => Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

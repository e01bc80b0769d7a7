// A mail server that signs everybody in and then sends what it likes. Runs in a thread of its own, so that it takes no time
// from the process that it attacks. `workerData`: what it does.
import { createServer } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

const numbers = (length) => Array.from({ length }, (_, index) => index + 1).join(" ");
const LISTED = `* SEARCH ${numbers(200_000)}\r\n`;
const LIST = `* SEARCH ${numbers(4_000)}\r\n`;
/** A few bytes that stand for millions of numbers. */
const RANGES = "* VANISHED 1:16777216\r\n* ESEARCH UID ALL 1:16777216\r\n* OK [COPYUID 1 1:16777216 1:16777216] x\r\n";
/** One response of many lines, none of which is long. */
const PARTS = `${"1 ".repeat(1_000)}{0}\r\n`;
const FLOODS = {
  numbers: (tag, socket) => socket.write(`${LISTED}${tag} OK\r\n`),
  lists: (_tag, socket) => flood(socket, LIST),
  parts: (_tag, socket) => socket.write(`* SEARCH ${PARTS.repeat(200)}\r\n`),
  ranges: (_tag, socket) => flood(socket, RANGES.repeat(50)),
  lines: (_tag, socket) => flood(socket, "* 1 EXISTS\r\n".repeat(5_000)),
  mails: (_tag, socket) => flood(socket, `* 1 FETCH (UID 1 BODY[] {1000000}\r\n${"x".repeat(1_000_000)})\r\n`),
};

function flood(socket, text) {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on("drain", more);
  more();
}

function respond(socket, line) {
  const [tag, command = ""] = line.split(" ");
  const replies = {
    CAPABILITY: `* CAPABILITY IMAP4rev1 IDLE\r\n${tag} OK\r\n`,
    SELECT: `* 100000 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 200001] x\r\n${tag} OK [READ-WRITE]\r\n`,
    IDLE: "+ idling\r\n",
  };
  replies.EXAMINE = replies.SELECT;
  if (/^\S+ UID SEARCH/i.test(line)) FLOODS[workerData](tag, socket);
  else socket.write(replies[command.toUpperCase()] ?? `${tag} OK\r\n`);
}

const server = createServer((socket) => {
  let text = "";
  socket.on("error", () => {});
  socket.write("* OK IMAP4rev1\r\n");
  socket.on("data", (bytes) => {
    const lines = (text + bytes).split("\r\n");
    text = lines.pop();
    for (const line of lines) respond(socket, line);
  });
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));

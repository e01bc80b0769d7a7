// A mail server in a process of its own that accepts everything and counts it. Argument: the port. Asked by a message, it says
// how many mails have arrived, and when the first and the last one did.
import { createServer } from "node:net";
import { machineMs } from "./clock.mjs";

let arrived = { count: 0, firstAt: 0, lastAt: 0 };

createServer((socket) => {
  let rest = "";
  let inData = false;
  socket.write("220 sink\r\n");
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    rest += chunk.toString("latin1");
    for (;;) {
      const end = inData ? "\r\n.\r\n" : "\r\n";
      const at = rest.indexOf(end);
      if (at === -1) return;
      const line = inData ? "." : rest.slice(0, 4).toUpperCase();
      rest = rest.slice(at + end.length);
      respond(line);
    }
  });

  function respond(line) {
    if (line === ".") {
      inData = false;
      const now = machineMs();
      arrived = { count: arrived.count + 1, firstAt: arrived.firstAt || now, lastAt: now };
      socket.write("250 accepted\r\n");
    } else if (line === "EHLO") socket.write("250-sink\r\n250-SIZE 50000000\r\n250 8BITMIME\r\n");
    else if (line === "DATA") {
      inData = true;
      socket.write("354 send it\r\n");
    } else if (line === "QUIT") socket.end("221 bye\r\n");
    else socket.write("250 ok\r\n");
  }
}).listen(Number(process.argv[2]), "127.0.0.1", () => process.send("ready"));

process.on("message", ({ kind }) => {
  process.send(arrived);
  if (kind === "reset") arrived = { count: 0, firstAt: 0, lastAt: 0 };
});

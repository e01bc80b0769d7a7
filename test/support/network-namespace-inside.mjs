import { createSocket } from "node:dgram";
import { connect, createServer } from "node:net";

/**
 * Runs inside a network namespace and only opens sockets there: a socket stays in the namespace it was made in, so the
 * test, which gets them over the channel, can use them from outside.
 */
const OPEN = {
  listen(host, port, done) {
    const server = createServer().listen(port, host, () => done(server));
    return server;
  },
  bind(host, port, done) {
    const socket = createSocket(host.includes(":") ? "udp6" : "udp4").bind(port, host, () => done(socket));
    return socket;
  },
  connect(host, port, done) {
    const socket = connect({ host, port, allowHalfOpen: true }, () => done(socket));
    return socket;
  },
};

process.on("message", ({ id, kind, host, port }) => {
  const socket = OPEN[kind](host, port, (opened) => {
    // Ours is closed once it is handed over: two owners would share out what arrives.
    process.send({ id }, opened, () => kind !== "connect" && opened.close());
  });
  socket.once("error", ({ code }) => process.send({ id, error: `${kind} ${host}:${port}: ${code}` }));
});
process.once("disconnect", () => process.exit());
process.send({ id: 0 });

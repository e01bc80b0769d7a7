// Loaded into the product by `--import`, with `--expose-gc`: collects what is not used any more, and says what is left.
process.on("message", ({ kind }) => {
  if (kind !== "memory") return;
  for (let n = 0; n < 3; n++) globalThis.gc({ type: "major", execution: "sync", flavor: "last-resort" });
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send({ heapMb: (heapUsed + external) / 2 ** 20, rssMb: rss / 2 ** 20 });
});
// It must not keep the product from ending.
process.channel?.unref();

/** A block of a server-sent event stream. The server also sends blocks with an id alone: how far the stream has come. */
interface Frame {
  id: string | null;
  event: string;
  data: string;
}

/**
 * Reads server-sent events from a response body. Not `EventSource`, which can send no workspace header, and not a parser
 * package: those drop a block without data, and its id is what a reconnect needs.
 */
export async function* readFrames(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<Frame> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield parseFrame(block);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parseFrame(block: string): Frame {
  const frame: Frame = { id: null, event: "message", data: "" };
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") data.push(value);
    else if (name === "id" || name === "event") frame[name] = value;
  }
  return { ...frame, data: data.join("\n") };
}

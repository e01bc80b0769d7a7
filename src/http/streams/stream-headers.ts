export const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // Proxies such as nginx would otherwise buffer events before they pass them on.
  "x-accel-buffering": "no",
  // A response without an end ends with its connection; one kept alive would outlast the drain of the server.
  connection: "close",
};

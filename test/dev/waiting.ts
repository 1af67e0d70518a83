import { untilInterrupted } from "../../build/dev/signals.ts";

/** A command that is busy until whoever started it is gone, and then waits for its end. */
const parent = process.ppid;
console.log("busy");
const busy = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(busy);
  const server = setInterval(() => {}, 1000);
  void untilInterrupted().then(() => clearInterval(server));
}, 20);

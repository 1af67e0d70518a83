import { untilInterrupted } from "../../build/dev/folder.ts";

/** A command that is busy until its parent process has ended, and then waits for its own end. */
const parent = process.ppid;
console.log("busy");
const busy = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(busy);
  const server = setInterval(() => {}, 1000);
  void untilInterrupted().then(() => clearInterval(server));
}, 20);

let count = 0;

/**
 * The first port that a test tries. Each process has ports of its own, because a port is free for a moment before its
 * server listens. Each call returns another one, because a client may keep a connection to the last server of a port.
 */
export const firstPort = (): number => 12_000 + 20 * (process.pid % 1000) + (count++ % 20);

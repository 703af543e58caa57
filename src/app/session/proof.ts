type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let asking: Promise<boolean> | null = null;

/** Has `proveIdentity` ask this: whether the person proved who they are. Returns the way out. */
export function askForProof(one: Ask): () => void {
  ask = one;
  return () => {
    if (ask === one) ask = null;
  };
}

/** Asks the person to prove who they are; once for all calls that wait for it. False: they did not, or nothing can ask. */
export function proveIdentity(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = null;
  });
  return asking;
}

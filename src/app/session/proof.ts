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

const channel = 'assay.proof';

/** Tells the windows of this browser that the person proved who they are at their provider. */
export function tellProven(): void {
  const told = new BroadcastChannel(channel);
  told.postMessage('proven');
  told.close();
}

/** Calls back when another window of this browser tells of a proof. Returns the way out. */
export function onProven(listener: () => void): () => void {
  const heard = new BroadcastChannel(channel);
  heard.onmessage = () => listener();
  return () => heard.close();
}

/** Asks the person to prove who they are; once for all calls that wait for it. False: they did not, or nothing can ask. */
export function proveIdentity(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = null;
  });
  return asking;
}

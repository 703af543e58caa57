type ProofPromptFn = () => Promise<boolean>;

let prompt: ProofPromptFn | null = null;
let pendingProof: Promise<boolean> | null = null;

/**
 * Sets the prompt of `proveIdentity`, which resolves with whether the user confirmed their identity. Returns a function
 * that removes it.
 */
export function setProofPrompt(promptFn: ProofPromptFn): () => void {
  prompt = promptFn;
  return () => {
    if (prompt === promptFn) prompt = null;
  };
}

const channel = 'assay.proof';

/** Notifies this browser's other windows that the user confirmed their identity. */
export function notifyProven(): void {
  const sender = new BroadcastChannel(channel);
  sender.postMessage('proven');
  sender.close();
}

/** Calls back when another window reports a confirmed identity. Returns a function that stops it. */
export function onProven(listener: () => void): () => void {
  const receiver = new BroadcastChannel(channel);
  receiver.onmessage = () => listener();
  return () => receiver.close();
}

/**
 * Asks the user to confirm their identity, once for all requests that wait for it. False: they did not, or there is no
 * prompt.
 */
export function proveIdentity(): Promise<boolean> {
  pendingProof ??= (prompt?.() ?? Promise.resolve(false)).finally(() => {
    pendingProof = null;
  });
  return pendingProof;
}

type Ask = () => Promise<boolean>;

let ask: Ask | null = null;

/** Sets the function that asks before the screen is left. Returns a function that removes it. */
export function askBeforeLeaving(one: Ask): () => void {
  ask = one;
  return () => {
    if (ask === one) ask = null;
  };
}

/** Whether the screen may be left: asks if there are unsaved changes. */
export function mayLeave(): Promise<boolean> {
  return ask ? ask() : Promise.resolve(true);
}

type Ask = () => Promise<boolean>;

let ask: Ask | null = null;

/** Has `mayLeave` ask this; answers the way out. */
export function askBeforeLeaving(one: Ask): () => void {
  ask = one;
  return () => {
    if (ask === one) ask = null;
  };
}

/** Whether everything on the screen may be left behind: asks where something there is not saved. */
export function mayLeave(): Promise<boolean> {
  return ask ? ask() : Promise.resolve(true);
}

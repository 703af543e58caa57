const storageKey = 'assay.keys.off';

/**
 * Whether shortcuts of a single key are switched on in this browser (WCAG 2.1.4: they can be switched off).
 *
 * @example areSingleKeysOn() && run();
 */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(storageKey) === null;
  } catch {
    return true;
  }
}

/** Switches shortcuts of a single key on or off in this browser. */
export function switchSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, '1');
  } catch {
    // Without storage they stay on.
  }
}

import { useEffect, useEffectEvent } from 'react';

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

/** Something that can be done here: by its keys, or in the command palette. */
export interface Command {
  /** Unique among the commands of its source. */
  readonly id: string;
  readonly label: string;
  /** One of `iconNames`. */
  readonly icon?: string;
  /** As `keysOf` names them: `n`, `/`, `Ctrl+S`; `Shift+X` goes before `x` while Shift is down; `g t`: one after the other. */
  readonly keys?: string;
  /** The record or records that it acts on, as users know them. */
  readonly recordsText?: string;
  /** Holding the keys down runs it again and again. */
  readonly isRepeatable?: boolean;
  /** Of no use in the palette, such as moving between rows: only its keys are listed. */
  readonly keysOnly?: boolean;
  /** Its keys only say why it cannot be done: it is listed nowhere. */
  readonly isRefused?: boolean;
  /** It opens something with an input: what is typed until that is shown is for it. */
  readonly opensInput?: boolean;
  readonly run: () => void;
}

type CommandSource = () => readonly Command[];

const sources: CommandSource[] = [];

/**
 * Offers commands while the calling component is mounted. They are read when keys are pressed or the palette opens, so
 * that they may depend on what has the focus.
 *
 * @example useCommands(() => [{ id: 'add', label: 'Add Task', icon: 'plus', keys: 'n', run: add }]);
 */
export function useCommands(source: CommandSource, enabled = true): void {
  useSource(source, enabled, false);
}

/**
 * Offers commands of the frame: those of the screen come before them, also where both have the same keys.
 *
 * @example useFrameCommands(() => [{ id: 'fold', label: 'Fold', keys: '[', run: fold }]);
 */
export function useFrameCommands(source: CommandSource, enabled = true): void {
  useSource(source, enabled, true);
}

function useSource(source: CommandSource, isEnabled: boolean, isFrame: boolean): void {
  const latest = useEffectEvent(source);
  useEffect(() => {
    if (!isEnabled) return;
    const current = () => latest();
    if (isFrame) sources.unshift(current);
    else sources.push(current);
    return () => void sources.splice(sources.indexOf(current), 1);
  }, [isEnabled, isFrame]);
}

/** The commands that are offered now; those that were added last come first. */
export function currentCommands(): Command[] {
  return sources.toReversed().flatMap((source) => source());
}

/** The element whose text screen readers speak; `Shell` renders it, empty. */
export const announcerId = 'announcer';

/** How long announcements that come together are collected, in milliseconds, so that none interrupts another. */
const pause = 300;
/** How long they stay, in milliseconds: whoever reads the whole screen does not meet what is no longer so. */
const shownFor = 1_000;

let waitingTexts: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Has screen readers say what changed on the screen and is not where the focus is: the title of another screen, how many
 * records a search found. Texts that are announced within a moment are said in one go.
 *
 * @example announce('23 records');
 */
export function announce(text: string): void {
  if (!waitingTexts.includes(text)) waitingTexts.push(text);
  clearTimeout(timer);
  timer = setTimeout(() => {
    const announcer = document.getElementById(announcerId);
    // A text that is set again is not spoken again, another element is.
    const line = document.createElement('p');
    line.textContent = waitingTexts.join(', ');
    waitingTexts = [];
    announcer?.replaceChildren(line);
    timer = setTimeout(() => announcer?.replaceChildren(), shownFor);
  }, pause);
}

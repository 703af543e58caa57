/** Matches characters that are never seen, and joiners and marks of direction between two letters that neither join nor turn. */
const invisible =
  /[\u00ad\u200b\u2060-\u2064\ufeff]+|(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}])[\u200c-\u200f]+(?=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}])/gu;
const outer = /[\s\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f]/;

/**
 * A text as it is stored and searched: composed (Unicode NFC), every blank an ordinary one, without invisible characters
 * that do not change what is read, and with none at its ends. So texts that look the same are the same.
 *
 * @example normaliseText('\u200bCafe\u0301\u00a0Berlin '); // 'Café Berlin'
 */
export function normaliseText(text: string): string {
  const visibleText = text
    .normalize('NFC')
    .replace(/\p{Zs}/gu, ' ')
    .replace(invisible, '');
  let [start, end] = [0, visibleText.length];
  while (start < end && outer.test(visibleText.charAt(start))) start++;
  while (end > start && outer.test(visibleText.charAt(end - 1))) end--;
  return visibleText.slice(start, end);
}

/** One emoji, however many code points it consists of. */
const picture =
  /\p{Regional_Indicator}{2}|[#*0-9]\uFE0F?\u20E3|(?:\p{Emoji_Presentation}|\p{Extended_Pictographic})(?:\uFE0F|\p{Emoji_Modifier})?(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?)*/gu;

const doubleWidth =
  /[\u1100-\u115F\u2329\u232A\u2E80-\u303E\u3041-\u4DBF\u4DC0-\u4DFF\u4E00-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18D1E}\u{1AFF0}-\u{1B2FB}\u{1F200}-\u{1F265}\u{20000}-\u{3FFFD}]/u;
const zeroWidth = /[\p{Mn}\p{Me}\p{Cc}]/u;

/** The width of a text in editor columns: East Asian letters and emoji two, combining marks none. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7E]*$/.test(text)) return text.length;
  let columns = 0;
  const rest = text.replace(picture, (match) => {
    columns += /\p{Emoji_Presentation}|\p{Emoji_Modifier}|\uFE0F|\u200D|\p{Regional_Indicator}/u.test(match) ? 2 : 1;
    return '';
  });
  for (const character of rest) columns += zeroWidth.test(character) ? 0 : doubleWidth.test(character) ? 2 : 1;
  return columns;
}

/**
 * The text that failures of one cause share: the first line of a message without parts that differ by run, such
 * as numbers, ids and addresses. An empty text for a failure without a message.
 *
 * @example causeOf('Timeout 3000ms at http://localhost:4711/pay') === causeOf('Timeout 5000ms at http://localhost:80/pay');
 */
export function causeOf(message: string | null): string {
  const [line = ''] = (message ?? '').trim().split('\n');
  return line
    .toLowerCase()
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)]+/g, '<address>')
    .replaceAll(/\b[\w.+-]+@[\w-]+\.[\w.-]+/g, '<address>')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>')
    .replaceAll(/\b0x[0-9a-f]+\b/g, '<id>')
    .replaceAll(/\b(?=[a-z]*\d)(?=\d*[a-z])[0-9a-f]{7,}\b/g, '<id>')
    .replaceAll(/\d+(?:[.,:]\d+)*/g, '<n>')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
}

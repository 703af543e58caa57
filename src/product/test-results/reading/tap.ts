import {
  attemptOf,
  cleanSeconds,
  explicitId,
  testOf,
  UnreadableResults,
  type ParsedAttempt,
  type ParsedTest,
} from './parsed-test';
import { firstOf, itemAt } from '../../../engine/values/lookups';

interface Point {
  readonly name: string;
  attempt: ParsedAttempt;
  readonly children: readonly Point[];
}

/** Subtests are not nested deeper. */
const maxDepth = 100;
const point = /^(not )?ok\b(?:\s+(\d+))?(?:\s+-)?\s*(.*)$/;

/**
 * The Test Anything Protocol, with subtests (four spaces deeper, before their parent) and YAML blocks. Only tests
 * without subtests count. Lines that are something else are output.
 */
export function tapReader(emit: (test: ParsedTest) => void) {
  /** By depth: the points whose parent has not come yet. */
  const open: Point[][] = [[]];
  let yaml: { readonly depth: number; readonly lines: string[] } | undefined;
  let last: Point | undefined;
  let bailedOut: string | undefined;
  let lineNumber = 0;
  /** How many points the file says it has at the top, and how many came. */
  let plannedCount: number | undefined;
  let reportedCount = 0;

  const emitTree = ({ name, attempt, children }: Point, ancestors: readonly string[]): void => {
    if (children.length > 0) return children.forEach((child) => emitTree(child, [...ancestors, name]));
    const suite = ancestors.join(' > ');
    emit(testOf({ name, suite, explicit_id: explicitId([], name), attempts: [attempt] }));
  };
  const flush = () => {
    for (const openPoint of firstOf(open).splice(0)) emitTree(openPoint, []);
  };

  return {
    line(text: string): void {
      lineNumber++;
      const depth = Math.floor(indentOf(text) / 4);
      const content = text.trim();
      if (yaml) {
        if (content === '...') {
          if (last) last.attempt = withDiagnostics(last.attempt, yaml.lines);
          yaml = undefined;
        } else yaml.lines.push(text);
        return;
      }
      if (content === '---') {
        yaml = { depth, lines: [] };
        return;
      }
      if (/^Bail out!/.test(content)) bailedOut = content.slice('Bail out!'.length).trim();
      const plan = depth === 0 ? /^1\.\.(\d+)/.exec(content)?.[1] : undefined;
      if (plan !== undefined) plannedCount = Number(plan);
      const pointMatch = point.exec(content);
      if (!pointMatch) return;
      if (depth > maxDepth)
        throw new UnreadableResults(`Subtests are nested deeper than ${maxDepth} levels.`, lineNumber);
      const [, not, number, rest = ''] = pointMatch;
      // The next level's points are the subtests of this one.
      const children = open[depth + 1]?.splice(0) ?? [];
      while (open.length <= depth) open.push([]);
      const directive = /#\s*(skip|todo)\b\S*\s*(.*)$/i.exec(rest);
      const name = (directive ? rest.slice(0, directive.index) : rest).trim().replaceAll('\\#', '#');
      const isSkipped = directive && (/skip/i.test(itemAt(directive, 1)) || not);
      const result = isSkipped ? 'skipped' : not ? 'failed' : 'passed';
      last = {
        name: name === '' ? `Test ${number ?? itemAt(open, depth).length + 1}` : name,
        attempt: attemptOf(result, isSkipped && directive[2] ? { message: directive[2] } : {}),
        children,
      };
      // A point at the top is complete once its YAML block, if any, has been read: when the next one begins.
      if (depth === 0) {
        reportedCount++;
        flush();
      }
      itemAt(open, depth).push(last);
    },
    end(): void {
      if (bailedOut !== undefined) {
        firstOf(open).push({ name: 'Bail out', attempt: attemptOf('broken', { message: bailedOut }), children: [] });
      } else if (plannedCount !== undefined && reportedCount < plannedCount) {
        const message = `The plan announces ${plannedCount} tests; ${reportedCount} are reported.`;
        firstOf(open).push({ name: 'Missing tests', attempt: attemptOf('broken', { message }), children: [] });
      }
      for (const left of open.slice(1)) firstOf(open).push(...left.splice(0));
      flush();
    },
  };
}

/** Adds the facts of a YAML block: the duration and the failure. */
function withDiagnostics(attempt: ParsedAttempt, lines: readonly string[]): ParsedAttempt {
  const valueOf = (name: string) => {
    const lineIndex = lines.findIndex((line) => line.trimStart().startsWith(`${name}:`));
    if (lineIndex < 0) return undefined;
    const inline = itemAt(lines, lineIndex)
      .trimStart()
      .slice(name.length + 1)
      .trim();
    if (!/^[|>]/.test(inline)) return inline.replace(/^(['"])(.*)\1$/s, '$2');
    const indent = indentOf(itemAt(lines, lineIndex));
    const linesBelow = lines.slice(lineIndex + 1);
    const end = linesBelow.findIndex((line) => line.trim() !== '' && indentOf(line) <= indent);
    return (end < 0 ? linesBelow : linesBelow.slice(0, end)).map((line) => line.trim()).join('\n');
  };
  const seconds = cleanSeconds(valueOf('duration_ms'), 1000) ?? cleanSeconds(valueOf('duration'), 1000);
  if (attempt.result === 'passed' || attempt.result === 'skipped') return { ...attempt, seconds };
  const message = valueOf('error') ?? valueOf('message') ?? attempt.message;
  return attemptOf(attempt.result, { seconds, message, details: lines.map((line) => line.trimEnd()).join('\n') });
}

/** The number of spaces before the text of a line. */
function indentOf(line: string): number {
  return line.length - line.replace(/^ +/, '').length;
}

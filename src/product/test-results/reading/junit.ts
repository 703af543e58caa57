import {
  attemptOf,
  cleanInstant,
  cleanSeconds,
  explicitId,
  outputOf,
  splitParameters,
  suiteSeparator,
  testOf,
  withFiles,
  worstOf,
  type FoundFile,
  type MachineResult,
  type ParsedAttempt,
  type ParsedTest,
} from './parsed-test';
import type { XmlListener } from './xml';
import { firstOf, getOrThrow, lastOf, requireValue } from '../../../engine/values/lookups';

type Attributes = Readonly<Record<string, string>>;

/** Printed text: of the standard output, and of that of errors. */
interface Output {
  out: string;
  err: string;
}
const noOutput = (): Output => ({ out: '', err: '' });
const addOutput = (output: Output, stream: string, text: string) => {
  if (stream === 'system-out') output.out += text;
  else output.err += text;
};

interface Suite {
  readonly name: string | null;
  readonly file: string | null;
  readonly host: string | null;
  readonly startedAt: string | null;
  /** Its tests, which wait for what the suite printed. */
  readonly tests: ParsedTest[];
  /** Failures outside of its tests, such as in a hook before all of them. */
  readonly problems: Problem[];
  readonly output: Output;
}

interface Problem {
  readonly result: MachineResult;
  readonly message: string | readonly string[] | null;
  details: string;
  readonly seconds: number | null;
  readonly output: Output;
}

/** Problems of earlier attempts, by how Surefire writes them: before a success, and after the first failure. */
const retries: ReadonlyMap<string, MachineResult> = new Map([
  ['flakyFailure', 'failed'],
  ['flakyError', 'broken'],
  ['rerunFailure', 'failed'],
  ['rerunError', 'broken'],
]);
const outcomes: ReadonlyMap<string, MachineResult> = new Map([
  ['failure', 'failed'],
  ['error', 'broken'],
  ['skipped', 'skipped'],
]);
const skippedStates = new Set(['notrun', 'skipped', 'disabled', 'suppressed', 'ignored', 'inconclusive']);

/** The elements with a test's printed text, which names files as `[[ATTACHMENT|path]]`. */
const outputs: ReadonlySet<string> = new Set(['system-out', 'system-err']);
/** The file of tests in JavaScript, which Playwright names as suite and as class. */
const scriptFile = /\.[cm]?[jt]sx?$/;

/**
 * JUnit XML in the dialects of JUnit, Surefire, Gradle, pytest, Jest, Mocha, PHPUnit, Catch2, GoogleTest, Playwright and
 * others: they differ in where they say the file, the class, and what an attempt was.
 */
export function junitListener(emit: (test: ParsedTest) => void): XmlListener {
  let root: Attributes = {};
  const suites: Suite[] = [];
  let test: Attributes | undefined;
  let problems: Problem[] = [];
  let earlierProblems: Problem[] = [];
  let properties: [string, string][] = [];
  let files: FoundFile[] = [];
  let output = noOutput();
  let open: Problem | undefined;

  const pathOf = (suitePath: readonly Suite[]) =>
    suitePath.flatMap(({ name }) => (name?.trim() ? [name.trim()] : [])).join(suiteSeparator);

  /** Playwright names its projects as hosts; others name the machine, which differs from run to run. */
  const isPlaywright = (attributes: Attributes, parentSuite: Suite | undefined) =>
    parentSuite?.name !== undefined &&
    parentSuite.name === attributes.classname &&
    scriptFile.test(parentSuite.name ?? '') &&
    (root.id !== undefined || (root.name ?? '') === '');

  const finish = (attributes: Attributes) => {
    const parentSuite = suites.at(-1);
    const byPlaywright = isPlaywright(attributes, parentSuite);
    const { name, parameters } = splitParameters(attributes.name ?? '');
    const startedAt = cleanInstant(attributes.timestamp ?? parentSuite?.startedAt);
    const seconds = cleanSeconds(attributes.time ?? attributes.duration);
    const states = [attributes.status, attributes.result].map((state) => state?.toLowerCase() ?? '');
    const ownProblem = joinProblems(problems);
    const hasRun = ownProblem !== undefined || !states.some((state) => skippedStates.has(state));
    // Its own skips have a reason; a test behind a failed hook, or behind another one in series, has none.
    const isNotRun =
      byPlaywright &&
      ownProblem?.result === 'skipped' &&
      earlierProblems.length === 0 &&
      !properties.some(([property]) => property === 'skip' || property === 'fixme');
    const last = withFiles(
      ownProblem
        ? attemptIn({ ...ownProblem, seconds: ownProblem.seconds ?? seconds, output }, startedAt)
        : attemptOf(hasRun ? 'passed' : 'skipped', { seconds, started_at: startedAt }),
      files,
    );
    const otherAttempts = earlierProblems.map((problem) => attemptIn(problem, startedAt));
    // Surefire writes the first failure as that of the test, and those of its reruns behind it.
    const isRerun = ownProblem !== undefined && ownProblem.result !== 'skipped';
    const parsedTest = testOf({
      name,
      parameters: parameters ?? (byPlaywright ? (parentSuite?.host ?? null) : null),
      suite: (attributes.classname ?? attributes.class)?.trim() || null,
      path: pathOf(suites),
      file: attributes.file ?? attributes.filepath ?? parentSuite?.file ?? null,
      explicit_id: explicitId(properties, attributes.name),
      attempts: isNotRun ? [] : isRerun ? [last, ...otherAttempts] : [...otherAttempts, last],
    });
    if (parentSuite) parentSuite.tests.push(parsedTest);
    else emit(parsedTest);
  };

  const closeSuite = (suite: Suite) => {
    const { tests, problems: suiteProblems, startedAt } = suite;
    const printed = ofSuite(suite.output);
    for (const parsedTest of tests) emit(withOutput(parsedTest, printed));
    const suiteProblem = joinProblems(suiteProblems);
    if (!suiteProblem || suiteProblem.result === 'skipped') return;
    emit(
      testOf({
        name: `Suite ${suite.name ?? ''}`.trim(),
        path: pathOf([...suites, suite]),
        file: suite.file,
        attempts: [attemptIn({ ...suiteProblem, output: suite.output }, cleanInstant(startedAt))],
      }),
    );
  };

  return {
    wantsText: (path) => {
      const name = lastOf(path);
      return (
        outcomes.has(name) ||
        retries.has(name) ||
        name === 'stackTrace' ||
        outputs.has(name) ||
        (test !== undefined && name === 'property')
      );
    },
    open(name, attributes) {
      if (name === 'testsuites') root = attributes;
      else if (name === 'testsuite') {
        // In the order of the file: what the suite prints behind suites within it is not told of the tests before them.
        for (const parsedTest of suites.at(-1)?.tests.splice(0) ?? []) emit(parsedTest);
        suites.push({
          name: attributes.name ?? null,
          file: attributes.file ?? attributes.filepath ?? suites.at(-1)?.file ?? null,
          host: attributes.hostname ?? null,
          startedAt: attributes.timestamp ?? null,
          tests: [],
          problems: [],
          output: noOutput(),
        });
      } else if (name === 'testcase') {
        [test, problems, earlierProblems, properties, files, output] = [attributes, [], [], [], [], noOutput()];
      } else if ((test || suites.length > 0) && !open && (outcomes.has(name) || (test && retries.has(name)))) {
        open = {
          result: outcomes.get(name) ?? getOrThrow(retries, name),
          message: attributes.message ?? attributes.type ?? null,
          details: '',
          seconds: retries.has(name) ? cleanSeconds(attributes.time) : null,
          output: noOutput(),
        };
      } else if (test && name === 'property' && attributes.name !== undefined && attributes.value !== undefined) {
        properties.push([attributes.name, attributes.value]);
      }
    },
    close(name, text) {
      if (name === 'testsuite') closeSuite(requireValue(suites.pop(), 'the suite that ends'));
      else if (name === 'testcase' && test) {
        finish(test);
        test = undefined;
      } else if (outputs.has(name)) {
        const target = open?.output ?? (test ? output : suites.at(-1)?.output);
        if (target) addOutput(target, name, text);
        // In what the system printed within a retry, too: it is not told which file belongs to which attempt.
        if (test)
          for (const [, path = ''] of text.matchAll(/\[\[ATTACHMENT\|([^\]\n]{1,1000})\]\]/g))
            files.push({ name: '', content: { path: path.trim() } });
      } else if (open && name === 'stackTrace') open.details += text;
      else if (open && (outcomes.has(name) || retries.has(name))) {
        open.details = open.details.trim() === '' ? text : open.details;
        const list = !test ? lastOf(suites).problems : retries.has(name) ? earlierProblems : problems;
        list.push(open);
        open = undefined;
      }
    },
  };
}

const attemptIn = ({ result, message, details, seconds, output }: Problem, startedAt: string | null): ParsedAttempt =>
  attemptOf(result, { seconds, message, details, output: joinOutput(output), started_at: startedAt });

/** The streams of a test as one text, the errors behind the rest. */
const joinOutput = ({ out: printedOutput, err }: Output): string =>
  [printedOutput, err].filter((text) => text.trim() !== '').join('\n\n');

/** The worst of several problems of one execution, with what each of them says; a skip says nothing beside a failure. */
function joinProblems(problems: readonly Problem[]): Problem | undefined {
  if (problems.length <= 1) return problems[0];
  const result = worstOf(problems.map((problem) => problem.result));
  const relevantProblems = problems.filter((problem) => result === 'skipped' || problem.result !== 'skipped');
  if (relevantProblems.length === 1) return relevantProblems[0];
  return {
    result,
    message: relevantProblems.map(({ message, details }) => String(message ?? details)),
    details: relevantProblems.map(({ message, details }) => `${String(message ?? '')}\n${details}`.trim()).join('\n\n'),
    seconds: relevantProblems.find(({ seconds }) => seconds !== null)?.seconds ?? null,
    output: firstOf(relevantProblems).output,
  };
}

/** The printed text of a suite, marked as such: the report does not tell which test printed it. */
const ofSuite = (output: Output): string | null => {
  const text = joinOutput(output);
  return text.trim() === '' ? null : `Output of the suite:\n${text}`;
};

/** A test whose failed attempts without an output have that of their suite. */
function withOutput(test: ParsedTest, output: string | null): ParsedTest {
  if (output === null) return test;
  const attempts = test.attempts.map((attempt) =>
    attempt.output === null && (attempt.result === 'failed' || attempt.result === 'broken')
      ? { ...attempt, output: outputOf(output) }
      : attempt,
  );
  return { ...test, attempts };
}

import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileKinds } from '../../../engine/field-types/file-kinds';
import { formatBytes } from '../../../engine/field-types/files';
import { cleanText, type FoundFile, type FoundStep, type ParsedAttempt, type ParsedTest } from './parsed-test';
import { firstOf } from '../../../engine/values/lookups';

/** A file of the upload that reports name by its path on the machine that ran the tests. */
export interface SentFile {
  /** As the sender says. */
  readonly name: string;
  /** Where it is here. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** How much of an upload is taken. */
export interface FileLimits {
  /** Files of one attempt. */
  readonly ofAttempt: number;
  /** Bytes of one file. */
  readonly size: number;
  /** Files of the whole upload, and their bytes. Attempts that passed can take a quarter of them. */
  readonly files: number;
  readonly bytes: number;
}

/** A file of an attempt, on this machine. */
export interface TakenFile {
  /** The number of the test in the upload, and of the attempt in the test, from 1. */
  readonly test: number;
  readonly attempt: number;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly path: string;
  /** It is deleted once it is stored; others belong to the form. */
  readonly isOwn: boolean;
  readonly step: number | null;
}

/** A step of an attempt that has files. */
export interface TakenStep extends FoundStep {
  readonly test: number;
  readonly attempt: number;
}

/** Takes the files of attempts out of reports, as far as the limits allow. */
export class FileTaker {
  private taken: TakenFile[] = [];
  private steps: TakenStep[] = [];
  /** Why files were left out, in sentences. */
  private leftOut: string[] = [];
  private count = 0;
  private readonly left: Record<'all' | 'passed', { files: number; bytes: number }>;
  /** By their names without folders. */
  private readonly sent = new Map<string, (SentFile & { parts: readonly string[] })[]>();

  /**
   * @param prefix the beginning of the paths of new files.
   */
  constructor(
    private readonly prefix: string,
    sentFiles: readonly SentFile[],
    private readonly limits: FileLimits,
  ) {
    const { files, bytes } = limits;
    this.left = { all: { files, bytes }, passed: { files: Math.floor(files / 4), bytes: Math.floor(bytes / 4) } };
    for (const file of sentFiles) {
      const parts = partsOf(file.name);
      const name = parts.at(-1) ?? '';
      this.sent.set(name, [...(this.sent.get(name) ?? []), { ...file, parts }]);
    }
  }

  /** Takes what came with the attempts of a test; returns them without it, and with the paths that lead nowhere. */
  async take(test: number, name: string, attempts: ParsedTest['attempts']): Promise<readonly ParsedAttempt[]> {
    if (!attempts.some(({ files }) => files)) return attempts;
    const plainAttempts: ParsedAttempt[] = [];
    for (const [index, { files = [], steps = [], ...attempt }] of attempts.entries()) {
      const missingFiles: string[] = [];
      const takenBefore = this.taken.length;
      let remainingFiles = this.limits.ofAttempt;
      for (const file of files) {
        const attemptPlace = { test, attempt: index + 1, of: name, passed: attempt.result === 'passed' };
        const outcome = await this.takeFile(file, attemptPlace, remainingFiles);
        if (outcome === 'taken') remainingFiles--;
        else if (outcome === 'missing' && 'path' in file.content) missingFiles.push(file.content.path);
      }
      const withFiles = new Set(this.taken.slice(takenBefore).map(({ step }) => step));
      for (const step of steps) if (withFiles.has(step.index)) this.steps.push({ ...step, test, attempt: index + 1 });
      plainAttempts.push(attempt.result === 'passed' ? attempt : withPaths(attempt, missingFiles));
    }
    return plainAttempts;
  }

  /** How many files wait to be fetched. */
  get waiting(): number {
    return this.taken.length;
  }

  /** Returns the files and steps that were taken since the last call. */
  fetch(): { files: TakenFile[]; steps: TakenStep[]; leftOut: string[] } {
    const takenResults = { files: this.taken, steps: this.steps, leftOut: this.leftOut };
    [this.taken, this.steps, this.leftOut] = [[], [], []];
    return takenResults;
  }

  private async takeFile(
    { name, type, content, step }: FoundFile,
    {
      of: testName,
      passed: hasPassed,
      ...attemptPlace
    }: { test: number; attempt: number; of: string; passed: boolean },
    maxBytes: number,
  ): Promise<'taken' | 'missing' | 'left out'> {
    const source = this.open(content);
    if (!source) {
      if (!('path' in content))
        this.leftOut.push(`“${shownName(name)}” of “${shownName(testName)}” is not in the upload.`);
      return 'missing';
    }
    const visibleName = nameOf(name, type, 'path' in content ? content.path : '');
    const refuse = (reason: string) => {
      this.leftOut.push(`“${shownName(visibleName)}” of “${shownName(testName)}”: ${reason}`);
      return 'left out' as const;
    };
    const { size } = source;
    if (size === 0) return refuse('it is empty.');
    if (size > this.limits.size) return refuse(`it is larger than ${formatBytes(this.limits.size)}.`);
    if (maxBytes <= 0) return refuse(`an attempt keeps ${this.limits.ofAttempt} files.`);
    const countedLimits = hasPassed ? [this.left.all, this.left.passed] : [this.left.all];
    if (countedLimits.some((left) => left.files < 1 || left.bytes < size)) {
      const { files, bytes } = this.limits;
      return refuse(
        `an upload keeps ${files} files of ${formatBytes(bytes)} together, a quarter of it for what passed.`,
      );
    }
    const path = source.path ?? `${this.prefix}-${++this.count}`;
    try {
      await source.write?.(path);
    } catch {
      await rm(path, { force: true });
      return refuse('it cannot be read.');
    }
    for (const left of countedLimits) {
      left.files -= 1;
      left.bytes -= size;
    }
    this.taken.push({
      ...attemptPlace,
      name: visibleName,
      size,
      path,
      isOwn: source.path === undefined,
      step: step ?? null,
    });
    return 'taken';
  }

  /** A file that can be written to a path, or is at one. */
  private open(
    content: FoundFile['content'],
  ): { size: number; path?: string; write?: (path: string) => Promise<void> } | undefined {
    if ('base64' in content) {
      const bytes = Buffer.from(content.base64, 'base64');
      return { size: bytes.length, write: (path) => writeFile(path, bytes, { flag: 'wx', mode: 0o600 }) };
    }
    if ('path' in content) return this.findSent(content.path);
    const source = content.find();
    if (!source) return undefined;
    const write = async (path: string) =>
      pipeline(await source.read(), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return { size: source.size, write };
  }

  /** The file that was sent under this path, or under its end. Paths are compared, never followed. */
  private findSent(path: string): { size: number; path: string } | undefined {
    const wantedParts = partsOf(path);
    const endsAlike = (leftParts: readonly string[], rightParts: readonly string[]) =>
      leftParts.length > 0 &&
      leftParts.every((part, index) => part === rightParts[rightParts.length - leftParts.length + index]);
    const similarFiles = (this.sent.get(wantedParts.at(-1) ?? '') ?? []).filter(
      ({ parts }) => endsAlike(parts, wantedParts) || endsAlike(wantedParts, parts),
    );
    // The longest: the same name in several folders is several files.
    return similarFiles.toSorted((left, right) => right.parts.length - left.parts.length)[0];
  }
}

/** The folders of a path and its name, whichever system it is of. */
const partsOf = (path: string): string[] =>
  path
    .replace(/^file:\/\//, '')
    .split(/[\\/]+/)
    .filter((part) => part !== '' && part !== '.');

/** The name of a file: its own name with an extension that tells its kind, else the name in its path. */
function nameOf(name: string, type: string | null | undefined, path: string): string {
  const trimmedName = name.trim();
  const ofPath = partsOf(path).at(-1) ?? '';
  const end = /\.[a-z0-9]{1,8}$/i.exec(ofPath)?.[0] ?? endOf(type);
  if (trimmedName === '') return ofPath || `attachment${end}`;
  return /\.[a-z0-9]{1,8}$/i.test(trimmedName) ? trimmedName : `${trimmedName}${end}`;
}

function endOf(type: string | null | undefined): string {
  const plainType = firstOf((type ?? '').split(';', 1))
    .trim()
    .toLowerCase();
  const [end] = Object.hasOwn(fileKinds, plainType) ? fileKinds[plainType as keyof typeof fileKinds] : [];
  return end === undefined ? (plainType.startsWith('text/') ? '.txt' : '') : `.${end}`;
}

const shownName = (name: string) => (name.length > 80 ? `${name.slice(0, 79)}…` : name);

/** The attempt whose details say where its files were, of which the upload has none. */
function withPaths(attempt: ParsedAttempt, paths: readonly string[]): ParsedAttempt {
  if (paths.length === 0) return attempt;
  const lines = paths.map((path) => `Attachment: ${path.replace(/[\u0000-\u001f]/g, '')}`);
  const details = [attempt.details, ...lines].filter((part) => part !== null).join('\n');
  return { ...attempt, details: cleanText(details, 'details') };
}

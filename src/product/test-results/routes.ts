import { Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { requestContextOf } from '../../server/accounts/session/caller-context';
import { assertGranted } from '../../server/access/access-filter';
import { Invalid, OutcomeUnknown } from '../../server/errors/errors';
import { Upload } from '../../server/files/upload';
import { createFromRequest } from '../../server/http/resource-routes';
import { runIdempotentPrepared } from '../../server/idempotency/run-idempotent';
import type { RequestContext } from '../../server/access/request-context';
import type { Program } from '../../server/program';
import { closedObject, dataOf, defineCall, file, id, nullable, typedApi } from '../../server/routing/define-call';
import { readBody } from '../../server/routing/read-body';
import { runs } from '../test-runs/definitions';
import type { SentFile } from './reading/take-files';
import { analyzeResults, DryRun, readUpload, storeResults, type ReadUpload, type UploadFacts } from './store-results';
import type { UploadOutcome } from './stored-uploads';
import { maxAttachments, maxResultBytes, maxResultFile, maxResultFiles } from './upload-limits';
import { requireValue } from '../../engine/values/lookups';

const count = Type.Integer();
const text = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }));
const form = Type.Object(
  {
    file: Type.Union([file, Type.Array(file)], {
      description:
        'JUnit XML, CTRF, Playwright JSON, Cucumber JSON, Allure results (zip or loose), TRX, Robot output, TAP, NUnit, xUnit.net, go test JSON, Mocha JSON, Jest JSON, Dart JSON or Xray JSON, also as gzip or many in a zip; recognised by content.',
    }),
    project: Type.String({ description: 'Its id, name or code.' }),
    run_key: text(200, 'What the parts of one run have in common, such as the number of the build.'),
    part: text(150, 'Which part of the run this is, such as the name of the job. The same part again stores nothing.'),
    shard: text(150, 'The former name of part.'),
    attempt: Type.Optional(
      Type.String({
        description: 'How often the build has repeated this part, from 1: a higher one adds attempts to its tests.',
      }),
    ),
    batch: text(100, 'Which of several uploads of one part this is, such as 2/3.'),
    name: text(200, 'The name of the run.'),
    branch: text(300, 'The branch that was tested.'),
    commit: text(100, 'The commit that was tested.'),
    build_url: text(2000, 'Where the build can be seen.'),
    configuration: text(150, 'On what the tests ran: the id or name of a configuration; a new name adds one.'),
    milestone: text(150, 'The id or name of a milestone of the project.'),
    'attachment:PATH': Type.Optional(
      Type.Unsafe<string>({
        ...file,
        description: 'A file that the reports name by this path, or by its end, such as a picture of a failure.',
      }),
    ),
    dry_run: Type.Optional(Type.String({ description: '1: answers what would be stored, and stores nothing.' })),
  },
  closedObject,
);
const resultsCall = defineCall({
  id: 'upload-results',
  tag: 'Test runs',
  summary: 'Store results of automated tests as a run, or as a part of one',
  grant: { resource: runs, action: 'create' },
  bodyType: 'multipart/form-data',
  once: true,
  created: true,
  answer: dataOf(
    Type.Object({
      run_id: nullable(id),
      dry_run: Type.Boolean(),
      files: Type.Array(
        Type.Object({
          name: Type.String(),
          format: Type.String(),
          tests: count,
          attempts: count,
          problem: Type.Optional(Type.String()),
        }),
      ),
      totals: Type.Object({
        tests: count,
        attempts: count,
        passed: count,
        failed: count,
        broken: count,
        skipped: count,
        flaky: count,
      }),
      linked: count,
      unlinked: count,
      proposals: count,
      attachments: count,
      left_out: count,
      left_out_reasons: Type.Array(Type.String()),
      repeated: Type.Boolean(),
    }),
  ),
});
// The form is read by the handler, so its schema documents it only.
Object.assign(resultsCall.config.described, { body: form });
Object.assign(resultsCall.config, { packedForms: true });

/**
 * `POST results`: results of automated tests, from a form with their files. With a JSON body it creates a record of
 * `results`, the list of what a test case can result in.
 */
export function registerTestResults(app: FastifyInstance, program: Program): void {
  typedApi(app).post('/results', resultsCall, async (request, reply) => {
    if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
      return (await createFromRequest(program, 'results', request, reply)) as never;
    }
    const context = await requestContextOf(program, request);
    assertGranted(context, context.registry.getOrThrow(runs), 'create');
    const { id: person, site_id: company } = context.actor;
    const body = await readBody(request, {
      person,
      company,
      files: maxResultFiles + maxAttachments,
      fileSize: maxResultFile,
      total: maxResultBytes,
    });
    const { facts, uploads, attachments } = parseUpload(body.values, body.uploads ?? []);
    let upload: ReadUpload | undefined;
    let isKept = false;
    const prepare = async () => {
      upload = await readUpload(context, facts, uploads, attachments);
    };
    let outcome: UploadOutcome | undefined;
    const store = async (requestContext: RequestContext) => {
      const data = await storeResults(requestContext, facts, requireValue(upload, 'the upload that was read'));
      outcome = data;
      isKept = !data.repeated;
      reply.code(data.repeated ? 200 : 201);
      return { data };
    };
    try {
      const answer = (await runIdempotentPrepared(context, request, reply, body, prepare, store)) as never;
      if (outcome && !outcome.repeated) await analyzeResults(context, outcome);
      return answer;
    } catch (error) {
      // Whether it was stored is unknown: the sweep deletes the files if not.
      isKept = error instanceof OutcomeUnknown;
      if (!(error instanceof DryRun)) throw error;
      reply.code(200);
      const { files, left_out_reasons: reasons } = error.outcome;
      return { data: { ...error.outcome, files: [...files], left_out_reasons: [...reasons] } };
    } finally {
      await upload?.close(isKept);
    }
  });
}

/** Parts of the form that are files of the tests have this before their path. */
const attachmentPrefix = 'attachment:';

const limits = {
  project: 150,
  run_key: 200,
  part: 150,
  shard: 150,
  attempt: 16,
  batch: 100,
  name: 200,
  branch: 300,
  commit: 100,
  build_url: 2000,
  configuration: 150,
  milestone: 150,
};

/** The texts of the form, trimmed. Throws Invalid with every fault. */
function parseUpload(
  values: Readonly<Record<string, unknown>>,
  uploads: readonly Upload[],
): { facts: UploadFacts; uploads: readonly Upload[]; attachments: readonly SentFile[] } {
  const errors: Record<string, string> = {};
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value instanceof Upload) {
      if (name !== 'file' && !name.startsWith(attachmentPrefix))
        errors[name] =
          `Files are sent as "file", those that reports name as "${attachmentPrefix}PATH", not as "${name}".`;
    } else if (name === 'dry_run') continue;
    else if (!Object.hasOwn(limits, name))
      errors[name] = `There is no "${name}" here. There are file, dry_run, ${Object.keys(limits).join(', ')}.`;
    else {
      const givenText = String(value).trim();
      if (givenText.length > limits[name as keyof typeof limits])
        errors[name] = `${name} must have at most ${limits[name as keyof typeof limits]} characters.`;
      if (givenText !== '') texts[name] = givenText;
    }
  }
  const reports = uploads.filter(({ part }) => part === 'file');
  const attachments = uploads.flatMap(({ part, path, size }) =>
    part?.startsWith(attachmentPrefix) ? [{ name: part.slice(attachmentPrefix.length), path, size }] : [],
  );
  if (reports.length > maxResultFiles) errors.file = `At most ${maxResultFiles} reports can be sent at once.`;
  if (reports.length === 0) errors.file = 'Send the file with the results as "file".';
  if (texts.project === undefined) errors.project = 'Say which project the results are of: its id, name or code.';
  if (texts.build_url !== undefined && !/^https?:\/\/\S+$/i.test(texts.build_url))
    errors.build_url = 'build_url must be an address such as https://ci.example.com/builds/7.';
  const { shard, attempt = '1', ...namedTexts } = texts;
  if (!/^[1-9]\d{0,14}$/.test(attempt)) errors.attempt = 'attempt must be a whole number from 1 on.';
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  const part = namedTexts.part ?? shard;
  const flag = values.dry_run;
  return {
    facts: {
      ...(namedTexts as unknown as UploadFacts),
      ...(part !== undefined && { part }),
      attempt: Number(attempt),
      dry_run: flag !== undefined && flag !== '' && flag !== '0' && flag !== 'false',
    },
    uploads: reports,
    attachments,
  };
}

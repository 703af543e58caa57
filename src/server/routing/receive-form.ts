import type { IncomingHttpHeaders } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { BadRequest, HttpError, TooLarge } from '../errors/errors';
import type { TemporaryFiles } from '../files/temporary-files';
import type { Upload } from '../files/upload';
import { maxBodySize, tooLargeMessage } from '../limits/size-limits';

/** Limits of a form's files. Its texts are limited like JSON. */
export interface FormLimits {
  readonly files: number;
  /** Maximum bytes of one file. */
  readonly fileSize: number;
}

/** A received form: its texts and files by name. */
export interface Form {
  readonly values: Record<string, unknown>;
  readonly uploads: readonly Upload[];
}

const maxFormFields = 500;

/**
 * Reads a form while it arrives: files go to disk, and the total size is limited. Throws TooLarge and BadRequest, and
 * then leaves no files behind.
 */
export async function receiveForm(
  body: Readable,
  headers: IncomingHttpHeaders,
  { files, fileSize }: FormLimits,
  temporary: TemporaryFiles,
): Promise<Form> {
  const maxTotal = maxBodySize + files * fileSize;
  const tooLarge = new TooLarge(tooLargeMessage(maxTotal));
  if (Number(headers['content-length']) > maxTotal) throw tooLarge;

  const meter = createSizeMeter(maxTotal, tooLarge);
  const parser = createFormParser(headers, files);
  const contents: Readable[] = [];
  const receiving: Promise<Upload>[] = [];
  const values = Object.create(null) as Record<string, unknown>;
  const uploads: Upload[] = [];
  let refuse: (error: Error) => void;
  const stopped = new Promise<never>((_done, fail) => (refuse = fail));
  const stop = (error: Error) => {
    meter.destroy(error);
    // If the whole body has passed, there is no stream left to destroy, and the parser would wait for its file.
    refuse(error);
  };
  // Errors are reported once, below.
  for (const stream of [meter, parser]) stream.on('error', () => undefined);

  parser.on('field', (name, value, _nameIsCut, isCut) => {
    if (isCut) stop(new TooLarge());
    else values[String(name)] = value;
  });
  parser.on('file', (name, content, filename) => {
    contents.push(content.on('error', () => undefined));
    const received = temporary.receive(filename ?? '', content, fileSize);
    receiving.push(received);
    received.then((upload) => {
      uploads.push(upload);
      // Browsers send an empty file for an input without a selection.
      if (upload.size > 0 || filename) values[String(name)] = upload;
    }, stop);
  });
  parser.on('filesLimit', () =>
    stop(new TooLarge(`At most ${files} ${files === 1 ? 'file' : 'files'} can be sent at once.`)),
  );
  for (const limit of ['fieldsLimit', 'partsLimit'] as const) {
    parser.on(limit, () => stop(new TooLarge(`A form must have at most ${maxFormFields} fields.`)));
  }
  const cutOff = () => body.readableEnded || stop(malformedFormError());
  body.once('close', cutOff).once('error', cutOff);

  try {
    await Promise.race([pipeline(body.pipe(meter), parser), stopped]);
    await Promise.all(receiving);
    return { values, uploads };
  } catch (error) {
    body.unpipe(meter);
    const refusal = error instanceof HttpError ? error : malformedFormError();
    for (const content of contents) content.destroy(refusal);
    await Promise.allSettled(receiving);
    await Promise.allSettled(uploads.map((upload) => upload.deleteFile()));
    throw refusal;
  } finally {
    body.off('close', cutOff).off('error', cutOff);
  }
}

const malformedFormError = () => new BadRequest('The form is malformed or incomplete.');

function createSizeMeter(whole: number, tooLarge: Error): Transform {
  let taken = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      taken += chunk.length;
      if (taken > whole) done(tooLarge);
      else done(null, chunk);
    },
  });
}

function createFormParser(headers: IncomingHttpHeaders, files: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type']! },
      limits: { fieldSize: maxBodySize, fields: maxFormFields, files, parts: maxFormFields + files, headerPairs: 50 },
    });
  } catch {
    throw malformedFormError();
  }
}

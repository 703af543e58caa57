import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as othersFirst } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { diskFullError, type TemporaryFiles } from '../../../src/server/files/temporary-files';
import { receiveForm } from '../../../src/server/routing/read-body';

const headers = { 'content-type': 'multipart/form-data; boundary=x' };
const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

/** Files on a disk that is full after so many bytes. */
const filesOn = (space: number): TemporaryFiles => ({
  newPath: () => Promise.reject(full()),
  async receive(_name, content) {
    let taken = 0;
    const disk = new Writable({
      write(chunk: Buffer, _encoding, done) {
        taken += chunk.length;
        done(taken > space ? full() : null);
      },
    });
    try {
      await pipeline(content, disk);
    } catch (error) {
      // What has been written is removed first.
      for (let turn = 0; turn < 10; turn++) await othersFirst();
      throw diskFullError(error);
    }
    throw new Error('the disk was not full');
  },
  adopt: () => Promise.reject(new Error('Nothing is adopted here.')),
  sweep: async () => undefined,
});

test.each([
  ['at once, of a file that has arrived', 20_000, 0],
  ['at its end, of a file that has arrived', 60_000, 59_000],
  ['half way, of one that is arriving', 1_000_000, 500_000],
  ['at its end, of one that is arriving', 1_000_000, 999_000],
])('a form is answered where the disk is full %s', async (_when, size, space) => {
  const text = `--x\r\nContent-Disposition: form-data; name="a"; filename="a.bin"\r\n\r\n${'y'.repeat(size)}\r\n--x--\r\n`;
  const chunks = Array.from({ length: Math.ceil(text.length / 65_536) }, (_, at) =>
    Buffer.from(text.slice(at * 65_536, (at + 1) * 65_536)),
  );
  const body = Readable.from(chunks, { objectMode: false });
  await expect(receiveForm(body, headers, { files: 1, fileSize: 2_000_000 }, filesOn(space))).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('no space left') as string,
  });
});

test('who registered may send less until the address is confirmed', async () => {
  const limits = { files: 20, fileSize: 100_000_000 };
  const announced = { ...headers, 'content-length': '11000000' };
  const body = Readable.from([Buffer.from('--x--\r\n')], { objectMode: false });
  await expect(receiveForm(body, announced, limits, filesOn(0), { isUnconfirmed: true })).rejects.toMatchObject({
    status: 413,
    message:
      'This is too large: at most 10 MB can be sent at once until the email address of your registration is confirmed.',
  });
  await expect(receiveForm(body, announced, limits, filesOn(0))).resolves.toMatchObject({ uploads: [] });
});

/**
 * A `fetch` that tells how much of the request's body has been sent, from 0 to 1; the browser's own cannot.
 *
 * @example await requestApi(path, { method: 'POST', body, fetch: fetchWithProgress((share) => show(share)) });
 */
export function fetchWithProgress(onProgress: (share: number) => void): typeof fetch {
  return (address, init = {}) => send(address as string, init, onProgress);
}

function send(
  address: string,
  { method = 'GET', headers, body, signal }: RequestInit,
  onProgress: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded: loadedBytes, total }) => onProgress(total > 0 ? loadedBytes / total : 0);
    const stop = () => request.abort();
    const end = () => signal?.removeEventListener('abort', stop);
    request.onload = () => {
      end();
      const lines = request.getAllResponseHeaders().trim().split(/\r\n/);
      const pairs = lines.filter(Boolean).map((line): [string, string] => {
        const [name = '', ...rest] = line.split(': ');
        return [name, rest.join(': ')];
      });
      resolve(new Response(request.responseText, { status: request.status, headers: pairs }));
    };
    request.onerror = () => {
      end();
      reject(new TypeError('The server could not be reached.'));
    };
    request.onabort = () => {
      end();
      const { reason } = signal as { reason: unknown };
      reject(reason instanceof Error ? reason : new DOMException('Cancelled', 'AbortError'));
    };
    if (signal?.aborted) return reject(new DOMException('Cancelled', 'AbortError'));
    signal?.addEventListener('abort', stop);
    request.send(body as XMLHttpRequestBodyInit);
  });
}

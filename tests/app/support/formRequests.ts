import { vi } from 'vitest';

/** Sends forms by `fetch`, which tests answer: jsdom sends none by XMLHttpRequest. */
export function sendFormsByFetch(): void {
  vi.stubGlobal('XMLHttpRequest', FetchRequest);
}

class FetchRequest {
  readonly upload = {};
  readonly #headers = new Headers();
  #request: { address: string; method: string } = { address: '', method: 'GET' };
  #answer = new Response();
  status = 0;
  responseText = '';
  onload?: () => void;
  onerror?: () => void;

  open(method: string, address: string): void {
    this.#request = { address, method };
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }

  getAllResponseHeaders(): string {
    return [...this.#answer.headers].map(([name, value]) => `${name}: ${value}`).join('\r\n');
  }

  abort(): void {}

  async send(body: XMLHttpRequestBodyInit): Promise<void> {
    const { address, method } = this.#request;
    try {
      this.#answer = await fetch(address, { method, headers: this.#headers, body });
      this.status = this.#answer.status;
      this.responseText = await this.#answer.text();
    } catch {
      return this.onerror?.();
    }
    this.onload?.();
  }
}

/** Stands in for `XMLHttpRequest` where a test has to hold an upload in mid-air. */
export class FakeUpload extends EventTarget {
  static sent: FakeUpload[] = [];

  readonly upload = new EventTarget();
  status = 0;
  responseText = '';
  url = '';
  type = '';
  body: Blob | undefined;
  aborted = false;

  open(_method: string, url: string) {
    this.url = url;
  }

  setRequestHeader(_name: string, value: string) {
    this.type = value;
  }

  send(body: Blob) {
    this.body = body;
    FakeUpload.sent.push(this);
  }

  abort() {
    this.aborted = true;
    this.end('abort');
  }

  /** So many bytes have left. */
  progress(loaded: number) {
    this.upload.dispatchEvent(new ProgressEvent('progress', { loaded }));
  }

  /** The server answers. */
  answer(status: number, body: unknown) {
    this.status = status;
    this.responseText = typeof body === 'string' ? body : JSON.stringify(body);
    this.end('load');
  }

  /** The connection breaks. */
  fail() {
    this.end('error');
  }

  end(how: 'load' | 'abort' | 'error') {
    this.dispatchEvent(new ProgressEvent(how));
    this.dispatchEvent(new ProgressEvent('loadend'));
  }
}

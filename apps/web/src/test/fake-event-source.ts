/** The browser's `EventSource`, with the test as its server: it speaks tRPC's event stream. */
export class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static opened: FakeEventSource[] = [];

  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSED = 2;
  readonly url: string;
  readyState = FakeEventSource.CONNECTING;

  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.opened.push(this);
  }

  /** The open stream of a procedure, `domain.procedure`. */
  static of(path: string): FakeEventSource | undefined {
    return FakeEventSource.opened.find(
      (source) => source.url.includes(path) && source.readyState !== FakeEventSource.CLOSED,
    );
  }

  connect(): void {
    this.readyState = FakeEventSource.OPEN;
    this.dispatchEvent(new MessageEvent('connected', { data: '{}' }));
  }

  send(id: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(data), lastEventId: id }));
  }

  /** The server says that nothing more comes. */
  end(): void {
    this.dispatchEvent(new MessageEvent('return', { data: '' }));
  }

  /** The connection is lost; the browser tries again by itself, or not. */
  lose({ forGood }: { forGood: boolean }): void {
    this.readyState = forGood ? FakeEventSource.CLOSED : FakeEventSource.CONNECTING;
    this.dispatchEvent(new Event('error'));
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }
}

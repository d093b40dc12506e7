/** Something to wait for that happens once. */
export class Gate {
  readonly passed: Promise<void>;
  #isOpen = false;
  #open: () => void = () => {};

  constructor() {
    this.passed = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    this.#isOpen = true;
    this.#open();
  }
}

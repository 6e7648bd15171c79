// Search in pages that are opened from disk. Browsers refuse to start workers
// from file: addresses; this Worker runs its script in a hidden frame instead.
// The theme's script looks for the name IFrameWorker in the frame.
if (location.protocol === "file:") {
  window.Worker = class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inner = this.frame.contentWindow;
      const page = inner.document;
      page.open();
      page.write("<!doctype html><html><body></body></html>");
      page.close();
      inner.IFrameWorker = IFrameWorker;
      inner.importScripts = async (...urls) => {
        for (const each of urls) await this.load(each);
      };
      inner.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      this.load(url).then(() => {
        const waiting = this.waiting;
        this.waiting = null;
        waiting.forEach((data) => this.deliver(data));
      });
    }

    // Runs a script in the frame.
    load(url) {
      return new Promise((resolve, reject) => {
        const script =
          this.frame.contentWindow.document.createElement("script");
        script.src = new URL(url, location.href).href;
        script.onload = resolve;
        script.onerror = reject;
        this.frame.contentWindow.document.body.appendChild(script);
      });
    }

    deliver(data) {
      const inner = this.frame.contentWindow;
      inner.dispatchEvent(new inner.MessageEvent("message", { data }));
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.deliver(data);
    }

    terminate() {
      this.frame.remove();
    }
  };
}

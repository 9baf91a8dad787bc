// SPDX-License-Identifier: Apache-2.0
// Browsers start no worker for a page that was opened as a file. This runs the worker of the search in a hidden frame,
// so that the search works without a server. Pages from a server keep the browser's own workers.
"use strict";
(() => {
  if (location.protocol !== "file:") return;
  class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      window.addEventListener("message", event => {
        if (event.source !== inside) return;
        const message = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(message);
        if (this.onmessage) this.onmessage(message);
      });
      this.loaded = new Promise(resolve => { window.addEventListener("kingpost-worker", resolve, { once: true }); });
      inside.document.open();
      inside.document.write(`<body><script>
        postMessage = message => parent.postMessage(message, "*");
        importScripts = (...urls) => urls.reduce((before, url) => before.then(() => new Promise(resolve => {
          const script = document.createElement("script");
          script.src = url; script.onload = resolve; document.body.append(script);
        })), Promise.resolve());
      <\/script><script src="${url}" onload="parent.dispatchEvent(new Event('kingpost-worker'))"><\/script></body>`);
      inside.document.close();
    }
    postMessage(data) {
      this.loaded.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() { this.frame.remove(); }
  }
  window.IFrameWorker = IFrameWorker;
  window.Worker = IFrameWorker;
})();

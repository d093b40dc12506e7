// An empty script that says when it is there, and stays as long as its parent.
process.on('message', () => {});
process.send?.('here');

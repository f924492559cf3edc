"use strict";
// The view that turns: the build as it stands on the table, with the numbers of its findings. Starts when it is shown.
(function () {
  const figure = document.querySelector("figure.turning");
  if (!figure) return;
  const canvas = figure.querySelector("canvas"), hint = figure.querySelector(".hint");
  const marks = Array.from(figure.querySelectorAll(".mark"));
  const number = (text) => text.split(" ").map(Number);

  async function unpacked(url) {
    const bytes = Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  }

  async function start() {
    const text = new TextDecoder().decode(await unpacked(figure.dataset.library));
    const script = document.createElement("script");
    script.textContent = text + "\n;window.THREE = THREE;";
    document.head.append(script);
    const mesh = await unpacked(figure.dataset.mesh);
    draw(window.THREE, mesh);
  }

  function draw(three, packed) {
    const low = number(figure.dataset.low), step = number(figure.dataset.step), count = Number(figure.dataset.points);
    const points = new Uint16Array(packed, 0, 3 * count);
    const faces = new Uint32Array(packed.slice(6 * count + ((6 * count) % 4)));
    const place = new Float32Array(3 * count);
    for (let k = 0; k < place.length; k++) place[k] = low[k % 3] + step[k % 3] * points[k];
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.BufferAttribute(place, 3));
    geometry.setIndex(new three.BufferAttribute(faces, 1));
    geometry.computeBoundingSphere();
    const { center, radius } = geometry.boundingSphere;

    const renderer = new three.WebGLRenderer({ canvas, antialias: true });
    const scene = new three.Scene();
    scene.background = new three.Color(0xe9ecef);
    scene.add(new three.AmbientLight(0xffffff, 1.6));
    for (const [x, y, z, power] of [[-0.5, -0.8, 1.2, 1.7], [0.9, 0.4, 0.5, 0.6]]) {
      const light = new three.DirectionalLight(0xffffff, power);
      light.position.set(x, y, z);
      scene.add(light);
    }
    const solid = new three.MeshLambertMaterial({ color: 0xb8bec6, side: three.DoubleSide, flatShading: true });
    solid.polygonOffset = true; solid.polygonOffsetFactor = 1; solid.polygonOffsetUnits = 1;
    const build = new three.Mesh(geometry, solid);
    scene.add(build);
    if (faces.length < 180000) {
      scene.add(new three.LineSegments(new three.EdgesGeometry(geometry, 25),
        new three.LineBasicMaterial({ color: 0x3c434d })));
    }
    const table = new three.Mesh(new three.PlaneGeometry(6 * radius, 6 * radius),
      new three.MeshLambertMaterial({ color: 0xd9dcd6 }));
    table.position.set(center.x, center.y, low[2] - 0.2);
    scene.add(table);

    const camera = new three.PerspectiveCamera(35, 1.5, radius / 50, radius * 40);
    camera.up.set(0, 0, 1);
    const away = radius / Math.sin(camera.fov * Math.PI / 360) * 1.02;
    camera.position.set(center.x - 0.35 * away, center.y - 0.72 * away, center.z + 0.6 * away);
    const controls = new three.OrbitControls(camera, canvas);
    controls.target.copy(center);
    controls.maxPolarAngle = Math.PI * 0.53;
    controls.minDistance = radius / 8; controls.maxDistance = away * 4;

    // how far away everything is that shows: a number whose place lies behind something is dashed
    const far = radius * 40;
    const depth = new three.ShaderMaterial({
      side: three.DoubleSide,
      vertexShader: "varying float away; void main() { vec4 p = modelViewMatrix * vec4(position, 1.0);"
        + " away = -p.z / " + far.toFixed(4) + "; gl_Position = projectionMatrix * p; }",
      fragmentShader: "varying float away; void main() { vec3 e = fract(away * vec3(1.0, 255.0, 65025.0));"
        + " e -= e.yzz * vec3(1.0 / 255.0, 1.0 / 255.0, 0.0); gl_FragColor = vec4(e, 1.0); }",
    });
    const target = new three.WebGLRenderTarget(480, 320);
    const seen = new Uint8Array(4 * 480 * 320);
    const at = new three.Vector3(), seenAt = new three.Vector3();

    function look() {
      const lines = scene.children.filter((one) => one.isLineSegments || one === table);
      lines.forEach((one) => { one.visible = false; });
      const before = scene.background;
      scene.background = new three.Color(0xffffff);
      scene.overrideMaterial = depth;
      renderer.setRenderTarget(target);
      renderer.render(scene, camera);
      renderer.readRenderTargetPixels(target, 0, 0, 480, 320, seen);
      renderer.setRenderTarget(null);
      scene.overrideMaterial = null;
      scene.background = before;
      lines.forEach((one) => { one.visible = true; });
    }

    function name() {
      look();
      for (const mark of marks) {
        at.set(...number(mark.dataset.at));
        seenAt.copy(at).applyMatrix4(camera.matrixWorldInverse);
        const away = -seenAt.z;
        at.project(camera);
        const x = (at.x + 1) / 2, y = (1 - at.y) / 2;
        const off = away < camera.near || x < 0 || x > 1 || y < 0 || y > 1;
        mark.style.display = off ? "none" : "";
        if (off) continue;
        mark.style.left = 100 * x + "%"; mark.style.top = 100 * y + "%";
        let nearest = 0;
        for (const [dx, dy] of [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]]) {
          const px = Math.min(479, Math.max(0, Math.floor(x * 480) + dx));
          const py = Math.min(319, Math.max(0, Math.floor((1 - y) * 320) + dy));
          const k = 4 * (480 * py + px);
          nearest = Math.max(nearest, (seen[k] / 255 + seen[k + 1] / 65025 + seen[k + 2] / 16581375) * far);
        }
        mark.classList.toggle("behind", nearest < away - Math.max(2.5, 0.01 * radius));
      }
    }

    let asked = false;
    function render() {
      asked = false;
      const width = canvas.clientWidth, height = canvas.clientHeight;
      if (!width) return;
      renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
      renderer.setSize(width, height, false);
      camera.aspect = width / height;
      camera.updateProjectionMatrix();
      controls.update();
      renderer.render(scene, camera);
      name();
    }
    function ask() { if (!asked) { asked = true; requestAnimationFrame(render); } }
    controls.addEventListener("change", ask);
    new ResizeObserver(ask).observe(canvas);
    figure.turn = (degrees) => {
      const angle = degrees * Math.PI / 180, x = camera.position.x - center.x, y = camera.position.y - center.y;
      camera.position.x = center.x + x * Math.cos(angle) - y * Math.sin(angle);
      camera.position.y = center.y + x * Math.sin(angle) + y * Math.cos(angle);
      render();
    };
    render();
    figure.dataset.ready = "true";
  }

  let started = false;
  function begin() {
    if (started || figure.hidden) return;
    started = true;
    start().catch((error) => { hint.textContent = "This browser does not show it (" + error + ")."; });
  }
  new MutationObserver(begin).observe(figure, { attributes: true, attributeFilter: ["hidden"] });
  begin();
})();

document.querySelectorAll("table.sortable").forEach(function (table) {
  table.querySelectorAll("thead th").forEach(function (head, column) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.textContent = "";
    head.appendChild(button);
    button.addEventListener("click", function () {
      var up = head.getAttribute("aria-sort") !== "ascending";
      table.querySelectorAll("thead th").forEach(function (other) { other.removeAttribute("aria-sort"); });
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      var key = function (row) {
        var text = row.cells[column].textContent.trim(), plain = parseFloat(text.replace(/,/g, ""));
        return { text: text, plain: /^[-+]?[\d.,]+(e[-+]?\d+)?\s*%?$/i.test(text) ? plain : NaN };
      };
      var rows = Array.from(table.tBodies[0].rows).map(function (row) { return { row: row, key: key(row) }; });
      rows.sort(function (a, b) {
        var x = a.key, y = b.key, numbers = !isNaN(x.plain) && !isNaN(y.plain);
        var order = numbers ? x.plain - y.plain : isNaN(x.plain) !== isNaN(y.plain) ? (isNaN(x.plain) ? 1 : -1) : x.text.localeCompare(y.text);
        return up ? order : -order;
      });
      rows.forEach(function (item) { table.tBodies[0].appendChild(item.row); });
    });
  });
});
